"""Managed chats: conversations with agent programs that ADE starts, feeds and records."""

"""Chats, without their programs."""

"""What could be better about specs that are right: rules with ids and severities, waivers with a reason, safe fixes."""

namespace Evidence;

/// <summary>Ends the program with a message for its user.</summary>
internal sealed class EvidenceException(string message) : Exception(message);

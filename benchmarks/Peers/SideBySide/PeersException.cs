namespace SideBySide;

/// <summary>The run cannot go on, for a reason that its user is to read.</summary>
internal sealed class PeersException(string message) : Exception(message);

namespace Mux.Backplanes;

/// <summary>What a backplane has of a channel at one moment.</summary>
/// <param name="LastNumber">Number of the last message; 0 if there was none.</param>
/// <param name="Retained">The last messages, the oldest first; at most as many as the subscriber has asked for.</param>
public sealed record BackplaneSnapshot(long LastNumber, IReadOnlyList<BackplaneMessage> Retained);

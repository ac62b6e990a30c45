namespace Mux.Calls;

/// <summary>What filters around calls that are made see of the channel, or of the peer that is called.</summary>
/// <param name="Address">Its address, or addresses; the name of the channel if its servers come from a source.</param>
/// <param name="CallTimeout">Time limit of calls that have no other; infinite for none.</param>
/// <param name="InheritsDeadlines">True if calls end no later than the handler that makes them.</param>
internal sealed record FilterSettings(string Address, TimeSpan CallTimeout, bool InheritsDeadlines);

namespace Mux.Calls;

/// <summary>What the filters of a channel see of it.</summary>
/// <param name="Address">Its address, or addresses.</param>
/// <param name="CallTimeout">Time limit of calls that have no other; infinite for none.</param>
internal sealed record FilterSettings(string Address, TimeSpan CallTimeout);

namespace Mux.Backplanes;

/// <summary>A message of a channel, as a backplane delivers it.</summary>
/// <param name="Number">Its number in the channel: at least 1 for the first, and 1 more for each further one, the same at all servers, below 2^62. 0 if it
/// was sent without a number.</param>
/// <param name="Body">The message. The subscriber may keep it.</param>
public readonly record struct BackplaneMessage(long Number, ReadOnlyMemory<byte> Body);

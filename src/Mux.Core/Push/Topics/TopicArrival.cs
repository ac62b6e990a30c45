namespace Mux.Push;

/// <summary>An item that has come from a backplane.</summary>
/// <param name="Number">Its number in its topic, the same at all servers.</param>
/// <param name="Origin">Names its publisher: a random number of topics in a process.</param>
/// <param name="Count">Its number at its origin: greater than those of all items that were published there before it under the same key.</param>
/// <param name="Body">Its encoded form.</param>
internal readonly record struct TopicArrival(long Number, ulong Origin, long Count, ReadOnlyMemory<byte> Body);

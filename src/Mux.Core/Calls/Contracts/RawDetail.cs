namespace Mux.Contracts;

/// <summary>The detail of a failure, as it came: <see cref="MuxException.Detail"/> of a call by <see cref="RawCaller"/>.</summary>
/// <param name="Number">The number that the contract gives to details of its type.</param>
/// <param name="Body">The message.</param>
public sealed record RawDetail(int Number, ReadOnlyMemory<byte> Body);

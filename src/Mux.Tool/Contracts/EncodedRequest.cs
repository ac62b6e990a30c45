namespace Mux.Tool.Contracts;

/// <summary>A request that is encoded already.</summary>
/// <param name="Message">The message; that before the request stream, if there is one.</param>
/// <param name="Items">The items of the request stream; none without one.</param>
internal sealed record EncodedRequest(ReadOnlyMemory<byte> Message, IReadOnlyList<ReadOnlyMemory<byte>> Items);

namespace Mux.ProtocolCases.Serving;

/// <summary>Contract for cases about messages.</summary>
[MuxService("mux.spec.Messages")]
internal interface IMessages
{
    ValueTask DecodeAsync(SpecMessage message, CancellationToken cancellationToken = default);
}

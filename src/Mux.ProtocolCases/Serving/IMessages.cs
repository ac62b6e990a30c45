namespace Mux.ProtocolCases.Serving;

/// <summary>What cases about messages call.</summary>
[MuxService("mux.spec.Messages")]
internal interface IMessages
{
    ValueTask DecodeAsync(SpecMessage message, CancellationToken cancellationToken = default);
}

namespace Mux.ProtocolCases.Serving;

/// <summary>Ignores the messages that it has read.</summary>
internal sealed class MessageService : IMessages
{
    public ValueTask DecodeAsync(SpecMessage message, CancellationToken cancellationToken = default) => default;
}

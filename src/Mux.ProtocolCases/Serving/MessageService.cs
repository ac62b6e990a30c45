namespace Mux.ProtocolCases.Serving;

/// <summary>Has nothing to do with a message that was read.</summary>
internal sealed class MessageService : IMessages
{
    public ValueTask DecodeAsync(SpecMessage message, CancellationToken cancellationToken = default) => default;
}

using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>A message without a number.</summary>
/// <param name="life">As of any request.</param>
/// <param name="names">The channel.</param>
/// <param name="message">The message.</param>
/// <param name="onRefused">Told of the channel and the reason if Redis does not take it.</param>
internal sealed class SendRequest(int life, RedisNames names, ReadOnlyMemory<byte> message, Action<RedisNames, string> onRefused)
    : RedisRequest(life, message.Length)
{
    public override void OnRefused(string reason) => onRefused(names, reason);

    public override Task<RedisResult> SendAsync(IDatabase database) =>
        database.ExecuteAsync("PUBLISH", names.Channel, RedisMessage.Unnumber(message.Span));
}

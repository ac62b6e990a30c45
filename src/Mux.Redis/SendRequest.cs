using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>A message without a number.</summary>
internal sealed class SendRequest(int life, RedisNames names, ReadOnlyMemory<byte> message) : RedisRequest(life, message.Length)
{
    public override Task<RedisResult> SendAsync(IDatabase database) =>
        database.ExecuteAsync("PUBLISH", names.Channel, RedisMessage.Unnumber(message.Span));
}

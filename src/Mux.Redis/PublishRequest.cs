using System.Globalization;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>A message with a number.</summary>
internal sealed class PublishRequest(
    int life, RedisNames names, ReadOnlyMemory<byte> message, int retain, long retainFor, long tag, Action<RedisNames, long, long> onNumbered)
    : RedisRequest(life, message.Length)
{
    public override Task<RedisResult> SendAsync(IDatabase database) =>
        database.ScriptEvaluateAsync(RedisScripts.Publish, names.Keys, [message, retain, retainFor, names.Text], CommandFlags.NoScriptCache);

    public override void OnAnswer(RedisResult result)
    {
        if (long.TryParse((string?)result, NumberStyles.None, CultureInfo.InvariantCulture, out long number)) onNumbered(names, tag, number);
    }
}

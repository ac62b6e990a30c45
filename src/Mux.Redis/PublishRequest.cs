using System.Globalization;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>A message with a number.</summary>
/// <param name="life">As of any request.</param>
/// <param name="names">The channel.</param>
/// <param name="message">The message.</param>
/// <param name="retain">Messages that the channel retains.</param>
/// <param name="retainFor">Milliseconds for which it does.</param>
/// <param name="tag">The publisher's number.</param>
/// <param name="watch">Told what becomes of it.</param>
internal sealed class PublishRequest(
    int life, RedisNames names, ReadOnlyMemory<byte> message, int retain, long retainFor, long tag, IMessageWatch watch)
    : RedisRequest(life, message.Length)
{
    public override bool HasScript => true;

    /// <summary>Told what becomes of it; null if its publisher does not wait.</summary>
    public Action<MuxPublishResult>? OnSettled { get; init; }

    private RedisKey[] Keys => retain > 0 ? names.Keys : names.NumberKey;

    public override Task<RedisResult> SendAsync(IDatabase database) =>
        database.ScriptEvaluateAsync(RedisScripts.PublishHash, Keys, [message, retain, retainFor]);

    public override Task<RedisResult> SendWholeAsync(IDatabase database) =>
        database.ScriptEvaluateAsync(RedisScripts.Publish, Keys, [message, retain, retainFor], CommandFlags.NoScriptCache);

    public override void OnAnswer(RedisResult result)
    {
        if (long.TryParse((string?)result, NumberStyles.None, CultureInfo.InvariantCulture, out long number)) watch.OnNumbered(names, tag, number);
        OnSettled?.Invoke(new MuxPublishResult(IsTaken: true, string.Empty));
    }

    public override void OnRefused(string reason)
    {
        watch.OnRefused(names, reason);
        watch.OnItemRefused(names, tag);
        OnSettled?.Invoke(new MuxPublishResult(IsTaken: false, $"Redis has refused it: {reason}"));
    }

    public override void OnLost() => OnSettled?.Invoke(new MuxPublishResult(
        IsTaken: false, "Redis was interrupted before it answered, so other servers may have the item or not."));
}

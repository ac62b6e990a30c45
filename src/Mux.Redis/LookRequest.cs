using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Asks what a channel has, for a subscription.</summary>
internal sealed class LookRequest(int life, RedisNames names, int retained, Guid mark) : RedisRequest(life, bytes: 0)
{
    private readonly TaskCompletionSource<RedisResult> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What it has. Cancelled if the connection is interrupted before.</summary>
    public Task<RedisResult> Answer => _answer.Task;

    public override bool IsMessage => false; // as many as there are subscriptions

    public override Task<RedisResult> SendAsync(IDatabase database) =>
        database.ScriptEvaluateAsync(
            RedisScripts.Look, names.Keys, [retained, RedisMessage.Mark(mark), names.Text], CommandFlags.NoScriptCache);

    public override void OnAnswer(RedisResult result) => _answer.TrySetResult(result);

    public override void OnLost() => _answer.TrySetCanceled();
}

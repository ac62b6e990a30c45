using Mux.TestSupport.Transports;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>A request whose answer the test gives.</summary>
internal sealed class AskedRequest(int life, Action<AskedRequest>? onAnswer = null) : RedisRequest(life, bytes: 1)
{
    public TaskCompletionSource<RedisResult> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Signal Sent { get; } = new("a request that is sent");

    public Signal Lost { get; } = new("a request that is lost");

    public override Task<RedisResult> SendAsync(IDatabase database)
    {
        Sent.Set();
        return Answer.Task;
    }

    public override void OnAnswer(RedisResult result) => onAnswer?.Invoke(this);

    public override void OnLost() => Lost.Set();
}

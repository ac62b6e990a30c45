using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>What waits to be sent to Redis, in order.</summary>
/// <param name="life">The number of the connection's life in which it was asked for: after an interruption it is not sent.</param>
/// <param name="bytes">Bytes that it counts.</param>
internal abstract class RedisRequest(int life, int bytes)
{
    public int Life => life;

    public int Bytes => bytes;

    /// <summary>True if it is sent by the hash of its script.</summary>
    public virtual bool HasScript => false;

    /// <summary>True if it counts as a message that waits.</summary>
    public virtual bool IsMessage => true;

    /// <summary>Sends it, without waiting.</summary>
    public abstract Task<RedisResult> SendAsync(IDatabase database);

    /// <summary>Sends it with its script: Redis does not have that.</summary>
    public virtual Task<RedisResult> SendWholeAsync(IDatabase database) => SendAsync(database);

    /// <summary>It was answered. Called in the order in which requests were sent.</summary>
    public virtual void OnAnswer(RedisResult result)
    {
    }

    /// <summary>Redis has not taken it, and serves others: it is full, or has a rule against it. Called in the order of the answers.</summary>
    /// <param name="reason">What Redis says.</param>
    public virtual void OnRefused(string reason)
    {
    }

    /// <summary>It was not answered, or not sent: the connection was interrupted.</summary>
    public virtual void OnLost()
    {
    }
}

namespace Mux.Redis;

/// <summary>Is told of messages that come. Any thread.</summary>
internal interface IMessageWatch
{
    void OnMessage();

    /// <summary>Something has come that no server of Mux has written.</summary>
    void OnForeign(string channel);

    /// <summary>Redis has not taken a message, and serves others.</summary>
    /// <param name="names">Its channel.</param>
    /// <param name="reason">What Redis says.</param>
    void OnRefused(RedisNames names, string reason);

    /// <summary>The message that Redis has not taken has a number at its publisher.</summary>
    void OnItemRefused(RedisNames names, long tag);

    /// <summary>A message has got its number.</summary>
    void OnNumbered(RedisNames names, long tag, long number);
}

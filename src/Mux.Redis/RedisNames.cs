using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Names of a channel in Redis. The braces keep its keys at one node of a cluster.</summary>
internal sealed class RedisNames
{
    private const int Longest = 2048; // characters

    /// <exception cref="ArgumentException">The name is too long or empty.</exception>
    public RedisNames(string prefix, string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length is 0 or > Longest)
            throw new ArgumentException($"The name of the channel has {name.Length} characters: expected 1 to {Longest}.", nameof(name));
        string all = $"{prefix}:{{{name}}}";
        (Name, Channel, Text, Keys) = (name, RedisChannel.Literal(all), all, [$"{all}:n", $"{all}:r"]);
        NumberKey = [Keys[0]];
    }

    public string Name { get; }

    public RedisChannel Channel { get; }

    /// <summary>The name of the channel in Redis, as an argument of a script.</summary>
    public RedisValue Text { get; }

    /// <summary>The keys of the number of the last message, and of the retained messages.</summary>
    public RedisKey[] Keys { get; }

    /// <summary>The first of them, for a message that is not retained.</summary>
    public RedisKey[] NumberKey { get; }
}

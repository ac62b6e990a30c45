using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>How servers share topics and groups by Redis. Read when the backplane is created; later changes have no effect.</summary>
public sealed class MuxRedisOptions
{
    /// <summary>Gets or sets the connection: host and port, and options of StackExchange.Redis, such as <c>cache:6379,password=...,ssl=true</c>.</summary>
    /// <value><c>localhost:6379</c> by default. It may hold a password, and is never logged. Not used if <see cref="Connection"/> is set.</value>
    public string Configuration { get; set; } = "localhost:6379";

    /// <summary>Gets or sets a connection that the application has. It must not be disposed before the backplane.</summary>
    /// <value>Null by default: the backplane makes its own, and disposes it.</value>
    public IConnectionMultiplexer? Connection { get; set; }

    /// <summary>Gets or sets what the names of all keys and channels in Redis begin with. Servers share what has the same prefix.</summary>
    /// <value>1 to 64 letters, digits, '.', '_', '-' and ':'; <c>mux</c> by default.</value>
    public string Prefix { get; set; } = "mux";

    /// <summary>
    /// Gets or sets how long Redis keeps retained items, and the number of the last item, of a topic in which nothing is published. Afterwards nothing of the
    /// topic is left, and its numbers begin again.
    /// </summary>
    /// <value>1 s to 365 days; 1 day by default.</value>
    public TimeSpan RetainFor { get; set; } = TimeSpan.FromDays(1);

    /// <summary>
    /// Gets or sets the time that Redis has to answer. Afterwards it counts as interrupted: subscribers and members of groups get what is published or
    /// called at their own server, until Redis answers again.
    /// </summary>
    /// <value>100 ms to 1 minute; 2 s by default.</value>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Gets or sets the largest number of messages that wait for Redis. Further ones do not reach other servers.</summary>
    /// <value>16 to 1,000,000; 8,192 by default.</value>
    public int MaxQueuedMessages { get; set; } = 8_192;

    /// <summary>Gets or sets the largest number of bytes that wait for Redis. Further messages do not reach other servers.</summary>
    /// <value>65,536 to 1 GiB; 16 MiB by default.</value>
    public long MaxQueuedBytes { get; set; } = 16 << 20;

    /// <summary>Checks the options.</summary>
    /// <returns>Every invalid option; empty if all are valid.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (Connection is null && FindMistake() is { } mistake) yield return new OptionFailure(nameof(Configuration), mistake);
        if (Prefix is not { Length: >= 1 and <= 64 } || !Prefix.All(static one => char.IsAsciiLetterOrDigit(one) || ".-_:".Contains(one)))
            yield return OptionFailure.OutOfRange(nameof(Prefix), Prefix ?? "null", "1 to 64 letters, digits, '.', '_', '-' and ':'");
        if (RetainFor < TimeSpan.FromSeconds(1) || RetainFor > TimeSpan.FromDays(365))
            yield return OptionFailure.OutOfRange(nameof(RetainFor), RetainFor, "00:00:01 to 365.00:00:00");
        if (Timeout < TimeSpan.FromMilliseconds(100) || Timeout > TimeSpan.FromMinutes(1))
            yield return OptionFailure.OutOfRange(nameof(Timeout), Timeout, "00:00:00.1 to 00:01:00");
        if (MaxQueuedMessages is < 16 or > 1_000_000)
            yield return OptionFailure.OutOfRange(nameof(MaxQueuedMessages), MaxQueuedMessages, "16 to 1000000 messages");
        if (MaxQueuedBytes is < 65_536 or > 1 << 30)
            yield return OptionFailure.OutOfRange(nameof(MaxQueuedBytes), MaxQueuedBytes, "65536 to 1073741824 bytes");
    }

    /// <summary>Reads the connection string, with what the backplane decides itself.</summary>
    internal ConfigurationOptions Parse()
    {
        var parsed = ConfigurationOptions.Parse(Configuration, ignoreUnknown: false);
        int milliseconds = (int)Timeout.TotalMilliseconds;
        parsed.AbortOnConnectFail = false; // it connects again for ever
        parsed.BacklogPolicy = BacklogPolicy.FailFast; // what is old when Redis is back is not sent
        (parsed.ConnectTimeout, parsed.AsyncTimeout, parsed.SyncTimeout) = (milliseconds, milliseconds, milliseconds);
        parsed.ReconnectRetryPolicy = new LinearRetry(Math.Min(milliseconds, 500));
        return parsed;
    }

    /// <summary>Says what is wrong with the connection string, without repeating it: it may hold a password.</summary>
    private string? FindMistake()
    {
        const string expected = "Expected host:port, or several with commas, and options such as password=... and ssl=true.";
        if (string.IsNullOrWhiteSpace(Configuration)) return $"it is empty. {expected}";
        try
        {
            return ConfigurationOptions.Parse(Configuration, ignoreUnknown: false).EndPoints.Count == 0 ? $"it names no server. {expected}" : null;
        }
        catch (Exception error) when (error is ArgumentException or FormatException or OverflowException)
        {
            return $"it cannot be read. {expected}";
        }
    }
}

using StackExchange.Redis;

namespace Mux.Redis.Tests;

/// <summary>Why Redis is of no use, as the log says it.</summary>
public sealed class InterruptionReasonTests
{
    private const string Dump = "Timeout awaiting response (outbound=0KiB, inbound=0KiB, 2031ms elapsed, timeout is 2000ms), command=EVALSHA, next: PING, inst: 0";

#pragma warning disable CS0618 // the other constructors want flags of a command, which say nothing here
    public static TheoryData<Exception, string> Reasons => new()
    {
        { new TimeoutException("The operation has timed out."), "Redis has not answered within 2 s" },
        { new RedisTimeoutException(Dump, CommandStatus.Sent), "Redis has not answered within 2 s" },
        { new RedisServerException("READONLY You can't write against a read only replica."), "Redis answers \"READONLY You can't write against a read only replica\"" },
        { new RedisConnectionException(ConnectionFailureType.AuthenticationFailure, Dump), "Redis refuses the user or the password" },
        { new RedisConnectionException(ConnectionFailureType.UnableToConnect, Dump), "Redis cannot be reached" },
        { new RedisConnectionException(ConnectionFailureType.SocketClosed, Dump), "the connection to Redis was lost (SocketClosed)" },
        { new IOException("The connection was interrupted again."), "The connection was interrupted again" },
        { new ObjectDisposedException("ConnectionMultiplexer"), "a request to Redis has failed (ObjectDisposedException)" },
    };
#pragma warning restore CS0618

    [Theory, MemberData(nameof(Reasons), DisableDiscoveryEnumeration = true)]
    public void A_reason_is_one_plain_sentence_without_its_full_stop(Exception error, string expected) =>
        Assert.Equal(expected, InterruptionReason.Of(error, TimeSpan.FromSeconds(2)));
}

using System.Globalization;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Says in one sentence why Redis is of no use at present. What the library writes in addition is in the exception, which is logged, too.</summary>
internal static class InterruptionReason
{
    /// <param name="error">What has happened.</param>
    /// <param name="timeout">The time that Redis has to answer.</param>
    /// <returns>A sentence without its full stop.</returns>
    public static string Of(Exception error, TimeSpan timeout) => error switch
    {
        TimeoutException => string.Create(CultureInfo.InvariantCulture, $"Redis has not answered within {timeout.TotalSeconds:0.###} s"),
        RedisServerException refusal => $"Redis answers \"{FirstLine(refusal.Message)}\"",
        RedisConnectionException { FailureType: ConnectionFailureType.AuthenticationFailure } => "Redis refuses the user or the password",
        RedisConnectionException { FailureType: ConnectionFailureType.UnableToConnect or ConnectionFailureType.UnableToResolvePhysicalConnection } =>
            "Redis cannot be reached",
        RedisConnectionException lost => $"the connection to Redis was lost ({lost.FailureType})",
        IOException => FirstLine(error.Message),
        _ => $"a request to Redis has failed ({error.GetType().Name})",
    };

    private static string FirstLine(string text) => text.Split('\n', 2)[0].TrimEnd('\r', ' ', '.');
}

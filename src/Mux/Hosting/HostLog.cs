using Microsoft.Extensions.Logging;

namespace Mux.Hosting;

/// <summary>
/// Log messages of a server and clients in a host, in their categories. Their ids are 1050, 1051, and those from 1060 and 2060; those of servers and channels
/// themselves are in Mux.Core.
/// </summary>
internal static partial class HostLog
{
    [LoggerMessage(1050, LogLevel.Information, "Registered {Endpoint} in {Registry}.", EventName = "Registered")]
    public static partial void Registered(ILogger logger, MuxAddress endpoint, string registry);

    [LoggerMessage(1051, LogLevel.Warning, "{Endpoint} is not registered in {Registry}, so clients do not find it there: {Reason}. The server serves, and " +
        "tries again in {Pause:0.0} s.", EventName = "RegistrationLost")]
    public static partial void RegistrationLost(ILogger logger, MuxAddress endpoint, string registry, string reason, double pause, Exception error);

    [LoggerMessage(1061, LogLevel.Information, "Withdrew {Endpoint} from {Registry}.", EventName = "RegistrationWithdrawn")]
    public static partial void Withdrawn(ILogger logger, MuxAddress endpoint, string registry);

    [LoggerMessage(1062, LogLevel.Warning, "{Endpoint} could not be withdrawn from {Registry}: {Reason}. The server drains all the same; clients may find " +
        "it there until the registration expires.", EventName = "WithdrawFailed")]
    public static partial void WithdrawFailed(ILogger logger, MuxAddress endpoint, string registry, string reason, Exception? error);

    [LoggerMessage(1060, LogLevel.Warning, "The server listens at the default address {Address}: the configuration has no section {Section}, and no code " +
        "sets an address. Is the file with the configuration missing? Set {Section}:Address, or pass the address to AddMuxServer.",
        EventName = "ServerAddressDefault")]
    public static partial void AddressIsDefault(ILogger logger, string address, string section);

    [LoggerMessage(2061, LogLevel.Warning, "The client '{Client}' was not connected within {Seconds:0.###} s: {Reason} The host starts all the same, and " +
        "calls connect.", EventName = "ClientNotConnected")]
    public static partial void ClientNotConnected(ILogger logger, string client, double seconds, string reason, Exception? error);

    [LoggerMessage(2060, LogLevel.Warning, "The client connects to the default address {Address}: the configuration has no section {Section}, and no code " +
        "sets an address. Is the file with the configuration missing? Set {Section}:Address, or pass the address to AddMuxClient.",
        EventName = "ClientAddressDefault")]
    public static partial void ClientAddressIsDefault(ILogger logger, string address, string section);
}

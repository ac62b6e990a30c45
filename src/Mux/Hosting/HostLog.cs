using Microsoft.Extensions.Logging;

namespace Mux.Hosting;

/// <summary>
/// Log messages of a server and clients in a host, in their categories. Their ids start at 1060 and 2060; those of servers and channels themselves are in
/// Mux.Core.
/// </summary>
internal static partial class HostLog
{
    [LoggerMessage(1060, LogLevel.Warning, "The server listens at the default address {Address}: the configuration has no section {Section}, and no code " +
        "sets an address. Is the file with the configuration missing? Set {Section}:Address, or pass the address to AddMuxServer.",
        EventName = "ServerAddressDefault")]
    public static partial void AddressIsDefault(ILogger logger, string address, string section);

    [LoggerMessage(2060, LogLevel.Warning, "The client connects to the default address {Address}: the configuration has no section {Section}, and no code " +
        "sets an address. Is the file with the configuration missing? Set {Section}:Address, or pass the address to AddMuxClient.",
        EventName = "ClientAddressDefault")]
    public static partial void ClientAddressIsDefault(ILogger logger, string address, string section);
}

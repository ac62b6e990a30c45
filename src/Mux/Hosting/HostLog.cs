using Microsoft.Extensions.Logging;

namespace Mux.Hosting;

/// <summary>Log messages of a server in a host, in the category of the server. Their ids start at 1060; those of the server itself are in Mux.Core.</summary>
internal static partial class HostLog
{
    [LoggerMessage(1060, LogLevel.Warning, "The server listens at the default address {Address}: the configuration has no section {Section}, and no code " +
        "sets an address. Is the file with the configuration missing? Set {Section}:Address, or pass the address to AddMuxServer.",
        EventName = "ServerAddressDefault")]
    public static partial void AddressIsDefault(ILogger logger, string address, string section);
}

using Mux.Tool.Pinging;

namespace Mux.Tool.Reporting.Results;

/// <param name="Name">Its name; empty if it has none.</param>
/// <param name="Instance">Id of its process; null if it tells none.</param>
/// <param name="MaxCalls">Calls that a client may have open on a connection.</param>
/// <param name="MaxMessageBytes">The largest message that it accepts.</param>
/// <param name="RequiresAuthentication">Whether clients have to authenticate.</param>
internal sealed record ServerHelloEntry(string Name, Guid? Instance, long MaxCalls, long MaxMessageBytes, bool RequiresAuthentication)
{
    public static ServerHelloEntry Of(ServerHello hello) =>
        new(hello.Name, hello.Instance, hello.MaxCalls, hello.MaxMessageBytes, hello.RequiresAuthentication);
}

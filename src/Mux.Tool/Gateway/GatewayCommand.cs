using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Gateway;

/// <summary><c>mux gateway</c>: forwards calls until it is told to stop.</summary>
internal static class GatewayCommand
{
    private const string DefaultListen = "mux://127.0.0.1:7070";

    public static Command Create()
    {
        var listen = new Option<string?>("--listen")
        {
            Description = "Address to listen at: mux://host:port (port 0 picks a free one), or muxs://host:port with a --certificate " +
                $"[default: {DefaultListen}]",
            HelpName = "ADDRESS",
        };
        var routes = new Option<string[]>("--route")
        {
            Description = "Services and the address of their server: shop.Orders=mux://10.0.0.7:7070, shop.*=mux+dns://shop.prod:7070, *=ADDRESS. May be " +
                "repeated",
            HelpName = "SERVICE=ADDRESS",
        };
        var file = new Option<string?>("--config")
        {
            Description = "JSON with listen, routes (each pattern with its address), allowPlaintext, certificate, certificateKey; other options override it",
            HelpName = "FILE",
        };
        var allowPlaintext = new Option<bool>("--allow-plaintext")
        {
            Description = "Listen without encryption at an address that other machines can reach",
        };
        var certificate = new Option<string?>("--certificate")
        {
            Description = "The certificate of a muxs address: PEM, or PKCS #12 (.pfx)",
            HelpName = "FILE",
        };
        var certificateKey = new Option<string?>("--certificate-key")
        {
            Description = "The private key of the certificate, if it is in another file: PEM",
            HelpName = "FILE",
        };
        var quiet = new Option<bool>("--quiet") { Description = "Print the address alone, and no table of calls" };
        var untilStdinEnds = new Option<bool>("--until-stdin-ends")
        {
            Description = "Stop when the standard input ends, not at Ctrl-C: for programs that start a gateway and may be killed",
        };
        var command = new ToolCommand(
            "gateway", "Forwards the calls of services to the servers behind it until Ctrl-C or SIGTERM, then lets open calls finish. Messages are not " +
                "decoded. Prints its address when it listens, and a table of calls on a terminal.")
        {
            Examples =
            [
                new("mux gateway --route *=mux://127.0.0.1:7071", "Forwards everything to one server"),
                new("mux gateway --route a=mux://127.0.0.1:7071 --route *=mux://127.0.0.1:7072", "Service 'a' has a server of its own"),
                new("mux gateway --config gateway.json --listen mux://127.0.0.1:7080", "Routes from a file"),
            ],
        };
        command.Add(OptionGroup.Role, listen, routes, file, allowPlaintext, certificate, certificateKey, untilStdinEnds);
        command.Add(OptionGroup.Results, quiet);
        command.SetAction((result, _) =>
        {
            var read = result.GetValue(file) is { } path ? GatewayFile.Read(path) : new GatewayFile();
            var plan = Checked(new GatewayPlan(
                result.GetValue(listen) ?? read.Listen ?? DefaultListen,
                result.GetValue(allowPlaintext) || read.AllowPlaintext,
                result.GetValue(certificate) ?? read.Certificate,
                result.GetValue(certificateKey) ?? read.CertificateKey,
                Merge(read.Routes, [.. (result.GetValue(routes) ?? []).Select(GatewayTarget.Parse)])));
            return RunAsync(plan, result.GetValue(quiet), result.GetValue(untilStdinEnds));
        });
        return command;
    }

    /// <exception cref="ToolException">There is a key without its certificate.</exception>
    private static GatewayPlan Checked(GatewayPlan plan) => plan is { CertificateKey: { } key, Certificate: null }
        ? throw new ToolException(ExitCode.Usage, $"--certificate-key '{key}' needs a --certificate: expected the file with the certificate of the key.")
        : plan;

    /// <summary>Adds the routes of the command line to those of the file, of which they replace those with the same pattern.</summary>
    /// <exception cref="ToolException">There is no route, or the command line has two with the same pattern.</exception>
    private static List<GatewayTarget> Merge(IReadOnlyList<GatewayTarget> ofFile, IReadOnlyList<GatewayTarget> ofLine)
    {
        if (ofLine.GroupBy(static route => route.Pattern, StringComparer.Ordinal).FirstOrDefault(static group => group.Count() > 1) is { } twice)
            throw new ToolException(ExitCode.Usage, $"--route: '{twice.Key}' is there {twice.Count()} times: a pattern has one address.");
        List<GatewayTarget> all = [.. ofFile.Where(route => ofLine.All(other => other.Pattern != route.Pattern)), .. ofLine];
        return all.Count > 0 ? all : throw new ToolException(ExitCode.Usage,
            "Expected a route, such as --route shop.Orders=mux://127.0.0.1:7071, or *=ADDRESS for all services: a gateway without routes forwards nothing.");
    }

    private static async Task<int> RunAsync(GatewayPlan plan, bool isQuiet, bool untilStdinEnds)
    {
        using var stop = new StopSignal(untilStdinEnds);
        using var counts = new CallCounts();
        var gateway = await RunningGateway.StartAsync(plan, counts).ConfigureAwait(false);
        await using var gatewayEnd = gateway.ConfigureAwait(false);
        Console.WriteLine(gateway.Server.Address);
        bool hasTable = !isQuiet && !Console.IsOutputRedirected;
        await (hasTable ? new GatewayTable(gateway.Server, counts).RunAsync(stop.Requested) : stop.Requested).ConfigureAwait(false);
        await gateway.StopAsync().ConfigureAwait(false);
        if (!isQuiet) await PrintTotalsAsync(counts).ConfigureAwait(false);
        return ExitCode.Success;
    }

    private static async Task PrintTotalsAsync(CallCounts counts)
    {
        var totals = await counts.ReadLastAsync().ConfigureAwait(false);
        foreach (var ((method, client), (calls, failed)) in totals.OrderByDescending(static entry => entry.Value.Calls))
        {
            Console.WriteLine(Reporting.PrintableText.Of($"{method} -> {client}: {calls:N0} calls, {failed:N0} failed"));
        }
    }
}

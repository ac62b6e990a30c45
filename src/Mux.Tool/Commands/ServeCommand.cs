using System.CommandLine;
using Mux.Tool.Faults;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary><c>mux serve</c>: runs a server until it is told to stop.</summary>
internal static class ServeCommand
{
    public static Command Create()
    {
        var listen = new Option<MuxAddress>("--listen")
        {
            Description = "Address to listen at: mux://host:port (port 0 picks a free one), muxs://host:port with a --certificate, mux+unix:///path or " +
                "mux+pipe://name",
            HelpName = "ADDRESS",
            DefaultValueFactory = _ => MuxAddress.Parse("mux://127.0.0.1:7070"),
            CustomParser = result => CheckedOption.Address(result, "--listen"),
        };
        var congestion = CongestionOption.Create("the connections", "the system's choice");
        var allowPlaintext = new Option<bool>("--allow-plaintext")
        {
            Description = "Also listen at addresses that other machines can reach: nothing is encrypted, and any machine that reaches the port " +
                "may call",
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
        var profile = ChoiceOption.Create("--profile", MuxProfile.Edge, "Default limits");
        var untilStdinEnds = new Option<bool>("--until-stdin-ends")
        {
            Description = "Stop when the standard input ends, not at Ctrl-C: for programs that start a server and may be killed",
        };
        var fault = ChoiceOption.Create("--fault", Fault.None, "Commit a fault once, to check that it is detected");
        fault.Hidden = true;

        var command = new ToolCommand(
            "serve", "Serves the workloads of 'mux bench' until Ctrl-C or SIGTERM, then lets open calls finish. Prints its address when it listens.")
        {
            Examples =
            [
                new("mux serve", "Listens on this machine only"),
                new("mux serve --listen mux://0.0.0.0:7070 --allow-plaintext", "For 'mux bench mux://HOST:7070' on another machine"),
                new("mux serve --handler-cost 50us --workers 2", "A server of a known capacity: 40,000 calls/s"),
            ],
        };
        command.Add(OptionGroup.Role, listen, allowPlaintext, certificate, certificateKey, untilStdinEnds);
        command.Add(OptionGroup.Connections, congestion);
        EngineChoice.AddTo(command);
        command.Add(OptionGroup.Server, profile, fault);
        var handlers = new HandlerOptions();
        handlers.AddTo(command);
        command.SetAction((result, _) => RunAsync(
            Checked(result.GetRequiredValue(listen), result.GetValue(certificate), result.GetValue(certificateKey)),
            new ServeOptions
            {
                AllowPlaintext = result.GetValue(allowPlaintext),
                Links = new LinkOptions
                {
                    CongestionControl = CongestionOption.Read(result, congestion),
                    CertificatePath = result.GetValue(certificate),
                    CertificateKeyPath = result.GetValue(certificateKey)
                },
                Profile = result.Chosen<MuxProfile>(profile),
                Handlers = handlers.Read(result),
                Fault = result.Chosen<Fault>(fault),
            },
            result.GetValue(untilStdinEnds)));
        return command;
    }

    private static MuxAddress Checked(MuxAddress address, string? certificate, string? certificateKey)
    {
        if (address.Scheme is MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme)
        {
            throw Wrong($"--listen: cannot listen at '{address}': WebSockets are served by ASP.NET Core.");
        }

        if (address.Scheme == MuxAddress.TlsScheme && certificate is null) throw Wrong($"--listen: '{address}' needs a --certificate.");
        if (address.Scheme != MuxAddress.TlsScheme && certificate is not null)
        {
            throw Wrong($"--certificate is for {MuxAddress.TlsScheme} addresses; '{address}' is not one.");
        }

        return certificate is null && certificateKey is not null ? throw Wrong("--certificate-key needs a --certificate.") : address;
    }

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);

    private static async Task<int> RunAsync(MuxAddress address, ServeOptions options, bool untilStdinEnds)
    {
        using var stop = new StopSignal(untilStdinEnds);
        var server = WorkloadServer.Start(address, options);
        await using var serverEnd = server.ConfigureAwait(false);
        Console.WriteLine(server.Address);
        await stop.Requested.ConfigureAwait(false);
        await server.StopAsync().ConfigureAwait(false);
        return ExitCode.Success;
    }
}

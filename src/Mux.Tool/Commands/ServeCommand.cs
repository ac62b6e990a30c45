using System.CommandLine;
using Mux.Tool.Faults;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary><c>mux serve</c>: a server until it is told to stop.</summary>
internal static class ServeCommand
{
    public static Command Create()
    {
        var listen = new Option<MuxAddress>("--listen")
        {
            Description = "Where to listen: mux://host:port (port 0 takes a free one) or mux+unix:///path",
            HelpName = "ADDRESS",
            DefaultValueFactory = _ => MuxAddress.Parse("mux://127.0.0.1:7070"),
            CustomParser = result => CheckedOption.Address(result, "--listen"),
        };
        var congestion = CheckedOption.Congestion("the connections");
        var allowPlaintext = new Option<bool>("--allow-plaintext") { Description = "Listen also where other machines connect: nothing is encrypted, and everybody may call" };
        var untilStdinEnds = new Option<bool>("--until-stdin-ends")
        {
            Description = "Stop when the standard input ends, and not at Ctrl-C: for programs that start a server and may be killed",
        };
        var fault = CheckedOption.Choice("--fault", Fault.None, "Do something wrong once, to see that it is noticed");
        fault.Hidden = true;

        var command = new Command("serve", "Serves the workloads of 'mux bench' until Ctrl-C or SIGTERM, then lets open calls finish. Prints its address when it listens.")
        {
            listen, allowPlaintext, congestion, untilStdinEnds, fault,
        };
        var handlers = new HandlerOptions();
        handlers.AddTo(command);
        command.SetAction((result, _) => RunAsync(
            result.GetRequiredValue(listen),
            new ServeOptions { AllowPlaintext = result.GetValue(allowPlaintext), CongestionControl = result.GetValue(congestion), Handlers = handlers.Read(result), Fault = result.Chosen<Fault>(fault) },
            result.GetValue(untilStdinEnds)));
        return command;
    }

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

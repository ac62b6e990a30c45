using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary><c>mux health</c>: tells whether a server, or one of its services, says that it serves.</summary>
internal static class HealthCommand
{
    public static Command Create()
    {
        var address = new Argument<string>("ADDRESS") { Description = $"The server: {CheckedOption.Addresses}" };
        var service = new Argument<string?>("SERVICE") { Description = "A service [default: the server]", Arity = ArgumentArity.ZeroOrOne };
        var server = new ServerOptions();
        var command = new ToolCommand("health",
            "Asks a server whether it serves: exit code 0 if it does, 99 if it is about to stop or does not have the service. For probes that run a command.")
        {
            Arguments = { address, service },
            Examples =
            [
                new("mux health mux+unix:///run/orders.sock", "A probe within the container of the server"),
                new("mux health muxs://orders:7070 shop.Orders", "One service"),
            ],
        };
        server.AddTo(command);
        command.SetAction((result, cancellationToken) =>
            RunAsync(server.Read(result, result.GetRequiredValue(address)), result.GetValue(service) ?? "", cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(ServerTarget target, string service, CancellationToken cancellationToken)
    {
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var signals = new InterruptSignals(interrupt);
        var channel = target.CreateChannel();
        await using var channelEnd = channel.ConfigureAwait(false);
        int status;
        try
        {
            status = (await channel.CreateProxy<IHealth>().Check(new HealthRequest { Service = service }, interrupt.Token).ConfigureAwait(false)).Status;
        }
        catch (MuxException error) when (error.Status == MuxStatus.NotFound)
        {
            throw new ToolException(ExitCode.Faulty, $"{target.Address} does not serve '{service}'.", error);
        }
        catch (MuxException error) when (error.Status == MuxStatus.Unimplemented)
        {
            throw new ToolException(ExitCode.Faulty, $"{target.Address} does not say whether it serves: EnableHealth of its options is false.", error);
        }
        catch (MuxException error)
        {
            throw new ToolException(ServerTarget.ExitCodeOf(error), error.Message, error);
        }

        Console.Out.WriteLine(status switch
        {
            HealthReply.Serving => "serving",
            HealthReply.NotServing => "not serving",
            _ => "unknown",
        });
        return status == HealthReply.Serving ? ExitCode.Success : ExitCode.Faulty;
    }
}

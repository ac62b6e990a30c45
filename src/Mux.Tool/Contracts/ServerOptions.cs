using System.CommandLine;
using Mux.Tool.Commands;
using Mux.Tool.Serving;

namespace Mux.Tool.Contracts;

/// <summary>Options of commands that call any service of a server: how it is reached, and who calls.</summary>
internal sealed class ServerOptions
{
    private readonly Option<Duration> _timeout = CheckedOption.Time("--timeout", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(1), TimeSpan.FromDays(1),
        "How long connecting and a call may take");

    private readonly Option<string?> _roots =
        new("--roots") { Description = "The roots to trust at a muxs address: PEM [default: the system's]", HelpName = "FILE" };

    private readonly IdentityOptions _identity = new("ADDRESS");

    public void AddTo(ToolCommand command)
    {
        command.Add(OptionGroup.Connections, _timeout, _roots);
        EngineChoice.AddTo(command);
        _identity.AddTo(command);
    }

    /// <summary>Gets a value indicating whether the command line says how long a call may take.</summary>
    public bool HasTimeout(ParseResult result) => result.IsGiven(_timeout);

    /// <exception cref="ToolException">The address is none, or options contradict each other or the address.</exception>
    public ServerTarget Read(ParseResult result, string address)
    {
        if (!TargetAddress.TryParse(address, out var target, out var failure)) throw new ToolException(ExitCode.Usage, $"ADDRESS: {failure}");
        target = CheckedOption.WithPort(target, "ADDRESS");
        var roots = result.GetValue(_roots);
        if (roots is not null && target.Sample.Scheme != MuxAddress.TlsScheme)
            throw new ToolException(ExitCode.Usage, "--roots is for an ADDRESS with the scheme muxs.");
        var links = _identity.Read(result, new LinkOptions { TrustedRootsPath = roots }, target.Sample);
        return new ServerTarget(target, links, result.GetValue(_timeout).Value);
    }
}

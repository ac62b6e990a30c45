using System.Diagnostics;

namespace Evidence.HalfOpen;

/// <summary>A network namespace with one cable to this machine. Pulling it loses every packet, and neither side is told. Linux, root.</summary>
internal sealed class IsolatedHost : IDisposable
{
    // Of the range for tests of networks (RFC 2544), which no network uses.
    private const string Near = "198.18.77.1/30", Far = "198.18.77.2/30";

    private readonly string _name = $"mux-{Environment.ProcessId}";
    private readonly string _cable = $"mux{Environment.ProcessId % 1_000_000}a";
    private readonly string _farEnd = $"mux{Environment.ProcessId % 1_000_000}b";

    private IsolatedHost()
    {
    }

    /// <summary>Its address.</summary>
    public string Address { get; } = Far.Split('/')[0];

    /// <summary>Starts a program in it.</summary>
    public string[] Enter => ["ip", "netns", "exec", _name];

    /// <param name="reason">Why there can be none here.</param>
    /// <returns>Null if this machine does not allow it.</returns>
    public static IsolatedHost? TryCreate(out string reason)
    {
        reason = string.Empty;
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            reason = "network namespaces need Linux and root";
            return null;
        }

        var host = new IsolatedHost();
        try
        {
            host.Run("netns", "add", host._name);
            host.Run("link", "add", host._cable, "type", "veth", "peer", "name", host._farEnd, "netns", host._name);
            host.Run("addr", "add", Near, "dev", host._cable);
            host.Run("link", "set", host._cable, "up");
            host.Run("-n", host._name, "addr", "add", Far, "dev", host._farEnd);
            host.Run("-n", host._name, "link", "set", host._farEnd, "up");
            return host;
        }
        catch (Exception error) when (error is EvidenceException or System.ComponentModel.Win32Exception)
        {
            host.Dispose();
            reason = error.Message;
            return null;
        }
    }

    public void PullCable() => Run("-n", _name, "link", "set", _farEnd, "down");

    public void PlugCable() => Run("-n", _name, "link", "set", _farEnd, "up");

    public void Dispose()
    {
        using var deletion = Start("netns", "del", _name); // the cable goes with it
        deletion?.WaitForExit();
    }

    private void Run(params string[] arguments)
    {
        using var process = Start(arguments)!;
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0) throw new EvidenceException($"ip {string.Join(' ', arguments)}: {error.Trim()}");
    }

    private static Process? Start(params string[] arguments) => Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardError = true });
}

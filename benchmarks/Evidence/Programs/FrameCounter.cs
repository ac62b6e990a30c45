using System.Diagnostics;
using System.Globalization;

namespace Evidence.Programs;

/// <summary>
/// Receivers in a process of their own, so cheap that the server is what is measured: benchmarks/FrameCounter, compiled where there is a compiler.
/// </summary>
internal sealed class FrameCounter : IDisposable
{
    private static readonly string? s_path = CProgram.Compile("frame-counter");

    private readonly Process _process;

    private FrameCounter(Process process) => _process = process;

    /// <summary>Whether there is a compiler for it.</summary>
    public static bool IsThere => s_path is not null;

    /// <summary>Starts receivers of Mux, by a process of this program if there is no compiler.</summary>
    /// <param name="port">Of the server.</param>
    /// <param name="connections">Number of receivers.</param>
    /// <param name="isStuck">True if they read nothing.</param>
    /// <param name="itemLength">Length of an item, which begins with the time at which it was published.</param>
    /// <param name="hello">What each connection sends.</param>
    /// <param name="answers">True if they answer each request.</param>
    public static Task<FrameCounter> StartAsync(int port, int connections, bool isStuck, int itemLength, byte[] hello, bool answers = false)
    {
        string[] arguments = [Text(port), Text(connections), "mux", isStuck ? "stuck" : answers ? "answer" : "read", Text(itemLength)];
        return StartAsync(s_path is not null ? CProgram.Start(s_path, arguments) : BuiltProgram.Self.Start(["receive-feed", .. arguments]), hello);
    }

    /// <summary>Starts receivers of WebSockets, which count bytes.</summary>
    /// <exception cref="EvidenceException">There is no compiler.</exception>
    public static Task<FrameCounter> StartWebSocketsAsync(int port, int connections, byte[] hello) => s_path is not null
        ? StartAsync(CProgram.Start(s_path, [Text(port), Text(connections), "websocket", "read", "0"]), hello)
        : throw new EvidenceException("The receivers are a program in C: install gcc.");

    /// <summary>Asks what has been counted.</summary>
    /// <exception cref="EvidenceException">The receivers have ended.</exception>
    public async Task<FrameCounts> CountAsync()
    {
        await _process.StandardInput.WriteLineAsync();
        return FrameCounts.Parse(await _process.StandardOutput.ReadLineAsync() ?? throw new EvidenceException("The receivers have ended: see above."));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static async Task<FrameCounter> StartAsync(Process process, byte[] hello)
    {
        await process.StandardInput.WriteLineAsync(Convert.ToHexString(hello));
        return await process.StandardOutput.ReadLineAsync() is "ready" ? new FrameCounter(process) : throw new EvidenceException("The receivers did not connect: see above.");
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}

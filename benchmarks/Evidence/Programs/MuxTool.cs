using System.Text.Json;

namespace Evidence.Programs;

/// <summary>The tool of this repository, as it was built beside this program.</summary>
internal static class MuxTool
{
    // The run is invalid: the generator could not keep its schedule. It has figures all the same, and says so in them.
    private const int Invalid = 4;

    /// <summary>Makes a run of <c>mux bench</c>.</summary>
    /// <param name="arguments">After <c>bench</c>.</param>
    /// <exception cref="EvidenceException">It failed, or not every reply was right.</exception>
    public static BenchFigures Bench(params IEnumerable<string> arguments)
    {
        var file = Path.GetTempFileName();
        try
        {
            BuiltProgram.Tool.Run(["bench", .. arguments, .. CongestionControl.Arguments, "--quiet", "--json", file], code => code is 0 or Invalid);
            return new BenchFigures(JsonDocument.Parse(File.ReadAllText(file)).RootElement);
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <summary>Starts <c>mux serve</c> on a free port of all addresses.</summary>
    public static RunningServer Serve(params IEnumerable<string> arguments) =>
        RunningServer.Start(BuiltProgram.Tool, ["serve", "--listen", "mux://0.0.0.0:0", "--allow-plaintext", "--until-stdin-ends", .. arguments]);
}

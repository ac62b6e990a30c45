using System.Globalization;
using System.Text.Json;

namespace Evidence.Programs;

/// <summary>The bare call of benchmarks/Yardstick, which sets reno itself.</summary>
internal static class Yardstick
{
    /// <param name="shape">Connections and calls in flight.</param>
    /// <param name="timing">How long.</param>
    /// <param name="isRecording">Whether the time of each call is taken.</param>
    /// <exception cref="EvidenceException">It failed.</exception>
    public static YardstickFigures Run(Shape shape, Timing timing, bool isRecording)
    {
        string[] arguments = ["--connections", Text(shape.Connections), "--in-flight", Text(shape.InFlight), "--seconds", Text(timing.Seconds), "--warmup", Text(timing.Warmup)];
        var line = BuiltProgram.Yardstick.Run([.. arguments, .. isRecording ? ["--record"] : Array.Empty<string>()], code => code == 0);
        return new YardstickFigures(JsonDocument.Parse(line).RootElement);

        static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
    }
}

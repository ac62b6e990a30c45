using System.Text.Json;

namespace Evidence.Programs;

/// <summary>The line of JSON of the yardstick.</summary>
internal sealed class YardstickFigures(JsonElement line)
{
    public double Rate => line.GetProperty("rate").GetDouble();

    public double P50 => line.GetProperty("p50_us").GetDouble();

    public double P99 => line.GetProperty("p99_us").GetDouble();

    public double CpuPerCall => line.GetProperty("client_cpu_us_per_call").GetDouble() + line.GetProperty("server_cpu_us_per_call").GetDouble();
}

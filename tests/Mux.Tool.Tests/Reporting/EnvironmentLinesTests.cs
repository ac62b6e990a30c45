using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Tests.Reporting;

public sealed class EnvironmentLinesTests
{
    private static readonly ProcessEnvironment s_here = new() { CpuModel = "AMD EPYC 7763 64-Core Processor", Cpus = 2, Kernel = "Linux 6.8.0", CongestionControl = "reno" };

    [Fact]
    public void One_machine_is_one_line() =>
        Assert.Equal(["AMD EPYC 7763 64-Core Processor, 2 CPUs, Linux 6.8.0, reno"], EnvironmentLines.Machines(s_here, s_here));

    [Fact]
    public void Two_machines_are_told_apart_in_80_columns()
    {
        var there = new ProcessEnvironment { CpuModel = new string('x', 90), Cpus = 128, Kernel = "Linux 6.18.44-with-a-very-long-name-of-its-own", CongestionControl = "cubic" };

        var lines = EnvironmentLines.Machines(s_here, there).ToArray();

        Assert.Equal(2, lines.Length);
        Assert.StartsWith("client: AMD EPYC", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("server: xxx", lines[1], StringComparison.Ordinal);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Control_characters_of_a_server_or_a_file_reach_no_terminal()
    {
        var there = new ProcessEnvironment { CpuModel = "\e]0;title\a", Cpus = 1, Os = "a\rb\nc", CongestionControl = "\u009bm" };

        Assert.Equal("server: ?]0;title?, 1 CPU, a?b?c, ?m", EnvironmentLines.Machines(s_here, there).Last());
        Assert.EndsWith(": mux ?[2Jbench", EnvironmentLines.OriginOf(null, "mux \e[2Jbench"), StringComparison.Ordinal);
        Assert.Equal($"a?{Environment.NewLine}b?", PrintableText.OfLines("a\e\nb\a"));
    }

    [Fact]
    public void The_date_the_command_and_a_missing_congestion_control_are_told()
    {
        var environment = new EnvironmentSection(s_here, s_here, new DateTimeOffset(2026, 11, 26, 3, 4, 5, TimeSpan.FromHours(1)), "mux bench -c 5", "There is no reno.");

        Assert.Equal(["There is no reno.", "2026-11-26 02:04:05 UTC: mux bench -c 5"], EnvironmentLines.Origin(environment));
    }
}

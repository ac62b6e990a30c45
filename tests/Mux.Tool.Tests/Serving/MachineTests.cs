using Mux.Tool.Serving;

namespace Mux.Tool.Tests.Serving;

public sealed class MachineTests
{
    [Fact]
    public void The_model_of_the_cpu_is_read_from_its_line() =>
        Assert.Equal("AMD EPYC 7763 64-Core Processor", Machine.CpuModelIn(["processor\t: 0", "model\t\t: 1", "model name\t: AMD EPYC 7763 64-Core Processor", "model name\t: B"]));

    [Theory]
    [InlineData("CPU part\t: 0xd0c")]
    [InlineData("model name\t: ")]
    public void A_cpu_without_a_model_has_none(string line) => Assert.Null(Machine.CpuModelIn([line]));

    [Fact]
    public void The_kernel_has_a_release()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems describe it otherwise.");

        Assert.Matches(@"^Linux \d+\.\d+", Machine.Kernel);
    }
}

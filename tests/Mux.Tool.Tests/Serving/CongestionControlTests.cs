using Mux.Tool.Serving;

namespace Mux.Tool.Tests.Serving;

public sealed class CongestionControlTests
{
    private static readonly MuxAddress s_loopback = MuxAddress.Parse("mux://127.0.0.1:7070");

    [Fact]
    public void Loopback_has_reno_by_default_without_a_note()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems do not let it be chosen.");

        Assert.Equal(("reno", null), CongestionControl.DefaultFor(s_loopback, _ => null));
    }

    [Fact]
    public void A_system_without_reno_is_told_with_what_it_has()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems do not let it be chosen.");

        var (name, note) = CongestionControl.DefaultFor(target: null, _ => "this machine has bbr, cubic");

        Assert.Null(name);
        Assert.Equal("This system has no reno, so it chose the congestion control, which may pace TCP on loopback; this machine has bbr, cubic.", note);
    }

    [Theory]
    [InlineData("mux://192.0.2.1:7070")]
    [InlineData("mux+unix:///tmp/a")]
    public void Elsewhere_the_system_chooses(string target) =>
        Assert.Equal((null, null), CongestionControl.DefaultFor(MuxAddress.Parse(target), _ => "must not be asked"));
}

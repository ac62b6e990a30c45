using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Connections;

public sealed class CallTallyTests
{
    private static readonly MethodDescriptor s_one = new("test", "One", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_other = new("test", "Other", MethodShape.Unary, takesToken: false);
    private readonly CallTally _sut = new();

    [Fact]
    public void Calls_are_counted_by_method_and_status()
    {
        _sut.Add(s_one, MuxStatus.Ok);
        _sut.Add(s_one, MuxStatus.Ok);
        _sut.Add(s_one, MuxStatus.NotFound);
        _sut.Add(s_other, MuxStatus.Ok);

        Assert.Equal((2, 1), (_sut.CountOf(s_one, MuxStatus.Ok), _sut.CountOf(s_one, MuxStatus.NotFound)));
        Assert.Equal(1, _sut.CountOf(s_other, MuxStatus.Ok));
        Assert.Equal(4, _sut.Total);
    }

    [Fact]
    public void Unknown_methods_share_a_row_and_unknown_statuses_count_as_Unknown()
    {
        _sut.Add(null, MuxStatus.Unimplemented);
        _sut.Add(s_one, (MuxStatus)77);

        Assert.Equal(1, _sut.CountOf(null, MuxStatus.Unimplemented));
        Assert.Equal(1, _sut.CountOf(s_one, MuxStatus.Unknown));
    }

    [Fact]
    public void A_method_that_was_never_called_has_no_counts() => Assert.Equal(0, _sut.CountOf(s_other, MuxStatus.Ok));

    [Fact]
    public void A_call_moves_from_one_status_to_another()
    {
        _sut.Add(s_one, MuxStatus.Ok);
        _sut.Move(s_one, MuxStatus.Ok, MuxStatus.Internal);
        _sut.Move(s_one, MuxStatus.Internal, MuxStatus.DeadlineExceeded);

        Assert.Equal((0, 0, 1), (_sut.CountOf(s_one, MuxStatus.Ok), _sut.CountOf(s_one, MuxStatus.Internal), _sut.CountOf(s_one, MuxStatus.DeadlineExceeded)));
        Assert.Equal(1, _sut.Total);
    }

    [Fact]
    public void Tallies_add_up()
    {
        var sum = new CallTally();
        sum.Add(s_one, MuxStatus.Ok);
        _sut.Add(s_one, MuxStatus.Ok);
        _sut.Add(s_other, MuxStatus.Internal);

        _sut.AddTo(sum);

        Assert.Equal((3, 2, 1), (sum.Total, sum.CountOf(s_one, MuxStatus.Ok), sum.CountOf(s_other, MuxStatus.Internal)));
    }
}

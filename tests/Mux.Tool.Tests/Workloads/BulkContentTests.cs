using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Workloads;

public sealed class BulkContentTests
{
    private const int Fragment = 32 * 1024;

    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    [InlineData(100_000)]
    public void It_is_the_same_as_itself(int size) => Assert.True(BulkContent.IsSame(BulkContent.Make(size), BulkContent.Make(size)));

    [Fact]
    public void Fragments_that_changed_places_are_noticed()
    {
        var sent = BulkContent.Make(8 * Fragment);
        for (int first = 0; first < 8; first++)
        {
            for (int second = first + 1; second < 8; second++)
            {
                var received = BulkContent.Make(sent.Length);
                sent.AsSpan(first * Fragment, Fragment).CopyTo(received.AsSpan(second * Fragment));
                sent.AsSpan(second * Fragment, Fragment).CopyTo(received.AsSpan(first * Fragment));

                Assert.False(BulkContent.IsSame(sent, received));
            }
        }
    }

    [Fact]
    public void The_reply_to_another_call_is_noticed()
    {
        byte[] sent = BulkContent.Make(1_000), received = BulkContent.Make(1_000);
        EchoNumber.Write(sent, 1);
        EchoNumber.Write(received, 2);

        Assert.False(BulkContent.IsSame(sent, received));
    }

    [Fact]
    public void One_byte_less_is_noticed() => Assert.False(BulkContent.IsSame(BulkContent.Make(1_000), BulkContent.Make(999)));
}

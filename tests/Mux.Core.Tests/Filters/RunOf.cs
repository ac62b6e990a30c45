using System.Security.Claims;
using Mux.Calls;
using Mux.Contracts;
using Mux.Filters;
using Mux.Serialization;

namespace Mux.Core.Tests.Filters;

/// <summary>A call of no side, whose handler does what the test wants.</summary>
internal sealed class RunOf : UnaryRun<int, int>
{
    private static readonly UnaryMethod<int, int> s_method = new(
        new("t.Runs", "Run", MethodShape.Unary, takesToken: false), new Codec(), new Codec(), static (_, request, _, _) => new(request));

    public Func<ValueTask<int>> Handler { get; set; } = static () => new(0);

    public override MuxCallSide Side => MuxCallSide.Server;

    public override string Peer => string.Empty;

    public override ClaimsPrincipal? User => null;

    public override MuxMetadata Metadata { get; } = [];

    public override MuxMetadata ResponseMetadata { get; } = [];

    public override MuxCallOptions? Options { get; set; }

    public override TimeSpan? TimeLeft => null;

    public override CancellationToken CancellationToken => default;

    public override IServiceProvider? Services => null;

    protected override RequestMethod<int> Contract => s_method;

    protected override MessageCodec<int> Responses { get; } = new Codec();

    /// <summary>Runs the filters to their end.</summary>
    public async Task RunAsync(FilterPlan plan)
    {
        Begin(plan);
        try
        {
            await StartAsync();
        }
        catch (Exception)
        {
            // the outcome
        }
    }

    /// <summary>Makes it ready for the next call.</summary>
    public void Recycle() => ForgetMessages();

    protected override ValueTask InvokeAsync()
    {
        try
        {
            return TakeAsync(Handler());
        }
        catch (Exception error)
        {
            return TakeFailed(error);
        }
    }

    protected override MuxStatus StatusOf(Exception error) => MuxStatus.Unknown;

    private sealed class Codec() : MessageCodec<int>("run")
    {
        public override void Encode(ref MessageWriter writer, int message) => throw new NotSupportedException();

        public override int Decode(ReadOnlySpan<byte> body) => throw new NotSupportedException();
    }
}

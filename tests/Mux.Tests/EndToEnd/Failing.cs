namespace Mux.Tests.EndToEnd;

/// <summary>What a failed call has to say of itself.</summary>
internal static class Failing
{
    /// <summary>Awaits a call that fails.</summary>
    public static Task<MuxException> FailsAsync<T>(this ValueTask<T> call, MuxStatus status, MuxExecution execution, MuxCallPhase phase) => call.AsTask().FailsAsync(status, execution, phase);

    /// <inheritdoc cref="FailsAsync{T}"/>
    public static async Task<MuxException> FailsAsync(this Task call, MuxStatus status, MuxExecution execution, MuxCallPhase phase)
    {
        var error = await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal((status, execution, phase), (error.Status, error.Execution, error.Phase));
        return error;
    }
}

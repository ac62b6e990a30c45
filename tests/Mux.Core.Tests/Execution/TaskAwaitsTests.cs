using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

public sealed class TaskAwaitsTests
{
    [Fact]
    public void A_task_that_ends_before_it_is_waited_for_continues_on_the_waiting_thread()
    {
        var task = new TaskCompletionSource();
        var sut = task.Task.InPlace();
        Assert.False(sut.IsCompleted);
        task.SetResult(); // by another thread, between these two steps of an await
        int? thread = null;

        sut.UnsafeOnCompleted(() => thread = Environment.CurrentManagedThreadId);

        Assert.Equal(Environment.CurrentManagedThreadId, thread);
    }

    [Fact]
    public void A_task_that_ends_later_continues_on_the_thread_that_ends_it()
    {
        var task = new TaskCompletionSource<int>();
        int? thread = null, result = null;
        _ = AwaitAsync();

        task.SetResult(7);

        Assert.Equal((7, Environment.CurrentManagedThreadId), (result, thread));

        async Task AwaitAsync()
        {
            result = await task.Task.InPlace();
            thread = Environment.CurrentManagedThreadId;
        }
    }

    [Fact]
    public async Task The_failure_of_a_task_is_thrown_as_it_was()
    {
        var error = new InvalidOperationException("test");
        Assert.Same(error, await Assert.ThrowsAsync<InvalidOperationException>(async () => await Task.FromException(error).InPlace()));
        Assert.Same(error, await Assert.ThrowsAsync<InvalidOperationException>(async () => await Task.FromException<int>(error).InPlace()));
    }
}

using Mux.Execution;

namespace Mux.Core.Tests.Execution;

public sealed class EngineThreadTests
{
    [Fact]
    public void Only_a_lack_of_files_keeps_a_thread_from_starting()
    {
        Assert.True(EngineThread.AreFilesLeft("/dev/null"));
        Assert.True(EngineThread.AreFilesLeft("/dev/there-is-no-such-device")); // in a container without devices
        Assert.True(EngineThread.AreFilesLeft("/dev")); // a directory cannot be opened: access is denied
    }
}

namespace Mux.Runtime;

/// <summary>Operations of epoll_ctl. The values are the kernel's.</summary>
internal enum EpollOperation
{
    Add = 1,
    Delete = 2,
    Modify = 3,
}

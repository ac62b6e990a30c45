namespace Mux.Transports.Epoll;

/// <summary>What epoll_ctl does; the values are the kernel's.</summary>
internal enum EpollOperation
{
    Add = 1,
    Delete = 2,
    Modify = 3,
}

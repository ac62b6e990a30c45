namespace Mux.Tool.Tests.Contracts;

[MuxCallback]
public interface ITeller
{
    [MuxMethod(OneWay = true)]
    ValueTask Tell(Book book);
}

namespace Mux.Tool.Tests.Contracts;

public enum Binding
{
    Paper = 0,
    Leather = 1,
}

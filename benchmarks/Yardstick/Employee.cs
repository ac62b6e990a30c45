namespace Yardstick;

internal sealed class Employee
{
    public int EmployeeId;
    public string? LastName;
    public string? FirstName;
    public string? Title;
    public string? City;
    public string? Region;
    public string? Country;
    public double RequestTime;
}
